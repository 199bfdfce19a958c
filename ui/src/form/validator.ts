// A schema validator that interprets schemas. Common validators compile them to code, which the content-security policy
// blocks.
import { Validator } from "@cfworker/json-schema";
import {
  type CustomValidator,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type ValidatorType,
} from "@rjsf/utils";

function check(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  // `properties` only repeats that something inside is invalid.
  return new Validator(schema as object, "2020-12", false)
    .validate(value ?? null)
    .errors.filter((each) => each.keyword !== "properties" && each.keyword !== "items" && each.keyword !== "$ref")
    .map(({ keyword, instanceLocation, error }) => ({
      name: keyword,
      property: instanceLocation.replace(/^#/, "").replaceAll("/", "."),
      message: error,
      stack: error,
    }));
}

export const validator: ValidatorType = {
  isValid(schema, formData, rootSchema) {
    try {
      return check({ ...rootSchema, ...schema }, formData).length === 0;
    } catch {
      return false;
    }
  },
  rawValidation<Result>(schema: RJSFSchema, formData?: unknown) {
    try {
      return { errors: check(schema, formData) as Result[] };
    } catch (error) {
      return { validationError: error as Error };
    }
  },
  validateFormData(formData, schema, _custom?: CustomValidator) {
    const { errors = [] } = validator.rawValidation<RJSFValidationError>(schema, formData);
    return { errors, errorSchema: toErrorSchema(errors) as ErrorSchema };
  },
};
