// The choice of a role, with its meaning.
import { MEANING, type Role } from "../api/role";
import { Field } from "../ui/Form";

export const SERVICE_ROLES: readonly Role[] = ["member", "admin"];

const SERVICE_MEANING: Partial<Record<Role, string>> = {
  member: MEANING.member,
  admin: "can also manage rules, sources and secrets; never approves",
};

interface Props {
  role: string;
  roles: readonly Role[];
  isService?: boolean;
  onChange: (role: string) => void;
}

export function RoleField({ role, roles, isService = false, onChange }: Props) {
  const meaning = isService ? SERVICE_MEANING : MEANING;
  return (
    <Field name="Role" hint={meaning[role as Role]}>
      <select className="input" value={role} onChange={(event) => onChange(event.target.value)}>
        {roles.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </Field>
  );
}
