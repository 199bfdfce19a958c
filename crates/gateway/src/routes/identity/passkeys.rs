//! Passkeys, with which people sign approvals.

use api::{
    AssertionRequest, Page, PageQuery, PasskeyOffer, PasskeyPerson, PasskeyQuery, PasskeyRequest,
    PasskeySite, PasskeyView, Problem, SignedRequest,
};
use axum::{Json, extract::State, http::StatusCode};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{PasskeyId, UserId};
use oversight::{NewPasskey, SignedAt};
use pipeline::PasskeyAssertion;
use tenancy::Passkey;

use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged, read},
    problem::Answer,
};

/// The name that a person's device shows.
const NAME: &str = "Countersign";

/// List passkeys of the organization, oldest first, including removed ones.
///
/// Save the list: it proves later which keys belonged to whom.
#[utoipa::path(
    get, path = "/v1/passkeys", tag = "people", params(PasskeyQuery),
    responses((status = 200, body = Page<PasskeyView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_passkeys(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PasskeyQuery>,
) -> Result<Json<Page<PasskeyView>>, Answer> {
    let user: Option<UserId> = read(query.user.as_deref(), "`user` is the id of a person")?;
    let (after, limit) = page(&PageQuery { cursor: query.cursor, limit: query.limit })?;
    let found = app.tenancy.passkeys(person.org, user, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view)))
}

/// Start to register a passkey of your own.
///
/// The response contains the options for `navigator.credentials.create`.
#[utoipa::path(
    post, path = "/v1/passkeys/registration", tag = "people",
    responses(
        (status = 200, body = PasskeyOffer),
        (status = 409, body = Problem, description = "The public address of the gateway is not configured"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn offer_passkey(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<PasskeyOffer>, Answer> {
    let offer = app.oversight.passkey_options(person.org, person.user).await?;
    Ok(Json(PasskeyOffer {
        challenge: offer.challenge,
        rp: PasskeySite { id: offer.site, name: NAME.to_owned() },
        user: PasskeyPerson {
            id: URL_SAFE_NO_PAD.encode(person.user.uuid().as_bytes()),
            name: offer.email,
            display_name: offer.name,
        },
        confirm: !offer.already.is_empty(),
        exclude: offer.already,
    }))
}

/// Register a passkey of your own.
///
/// If you already have a passkey, it must sign the new one (`confirmed_by`). A first passkey counts at once within 30
/// minutes after you joined; otherwise it signs nothing until another admin or owner has confirmed it.
#[utoipa::path(
    post, path = "/v1/passkeys", tag = "people", request_body = PasskeyRequest,
    responses(
        (status = 201, body = PasskeyView),
        (status = 403, body = Problem, description = "Does not match the offer, or not signed by a passkey"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn add_passkey(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<PasskeyRequest>,
) -> Result<(StatusCode, Json<PasskeyView>), Answer> {
    bounded("/name", &request.name, 60)?;
    if request.name.trim().is_empty() {
        return Err(Answer::invalid("/name", "required, for example `laptop`"));
    }
    bounded("/challenge", &request.challenge, 400)?;
    bounded("/client_data", &request.client_data, 5_500)?;
    bounded("/authenticator_data", &request.authenticator_data, 2_800)?;
    let new = NewPasskey {
        name: request.name.trim().to_owned(),
        challenge: request.challenge,
        client_data: request.client_data,
        authenticator_data: request.authenticator_data,
        confirmed_by: request.confirmed_by.map(|given| signed(given, "/confirmed_by")).transpose()?,
    };
    let added = app.oversight.add_passkey(&person, new).await?;
    Ok((StatusCode::CREATED, Json(view(added))))
}

/// Confirm the first passkey of another member.
///
/// Ask them first whether they added it. Needs a sign-in of the last ten minutes, because it lasts.
#[utoipa::path(
    post, path = "/v1/passkeys/{passkey}/confirm", tag = "people", params(("passkey" = String, Path)),
    responses((status = 200, body = PasskeyView), (status = "4XX", body = Problem))
)]
pub(crate) async fn confirm_passkey(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(passkey): Id<PasskeyId>,
) -> Result<Json<PasskeyView>, Answer> {
    Ok(Json(view(app.oversight.confirm_passkey(&person, passkey).await?)))
}

/// Remove a passkey.
///
/// Signatures it made before stay valid.
#[utoipa::path(
    delete, path = "/v1/passkeys/{passkey}", tag = "people", params(("passkey" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_passkey(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(passkey): Id<PasskeyId>,
) -> Result<StatusCode, Answer> {
    app.oversight.remove_passkey(&person.author(), passkey).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A passkey's signature, after a check of its size.
pub(crate) fn signed(given: AssertionRequest, pointer: &str) -> Result<PasskeyAssertion, Answer> {
    for (field, text, most) in [
        ("credential", &given.credential, 1_400),
        ("client_data", &given.client_data, 5_500),
        ("authenticator_data", &given.authenticator_data, 2_800),
        ("signature", &given.signature, 700),
    ] {
        bounded(&format!("{pointer}/{field}"), text, most)?;
    }
    Ok(PasskeyAssertion {
        credential: given.credential,
        client_data: given.client_data,
        authenticator_data: given.authenticator_data,
        signature: given.signature,
    })
}

/// A signature with its time, after a check of its size.
pub(super) fn signed_at(given: SignedRequest, pointer: &str) -> Result<SignedAt, Answer> {
    bounded(&format!("{pointer}/at"), &given.at, 40)?;
    let assertion = AssertionRequest {
        credential: given.credential,
        client_data: given.client_data,
        authenticator_data: given.authenticator_data,
        signature: given.signature,
    };
    Ok(SignedAt { at: given.at, assertion: signed(assertion, pointer)? })
}

fn view(found: Passkey) -> PasskeyView {
    PasskeyView {
        id: found.id,
        user: found.user,
        name: found.name,
        credential: URL_SAFE_NO_PAD.encode(&found.credential),
        fingerprint: receipt::canonical::digest(&found.public_key),
        public_key: URL_SAFE_NO_PAD.encode(&found.public_key),
        created_at: found.created_at,
        last_used_at: found.last_used_at,
        confirmed_at: found.confirmed_at,
        confirmed_by: found.confirmed_by,
        removed_at: found.removed_at,
    }
}
