//! The shown document: rendered when a person opens an item or is sent a message about it, and stored by its digest. An
//! answer is about one of these documents.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use catalog::{Action, connector::OrgCatalog};
use model::{
    Basis, Change, Digest, Drift, InvocationId, OrgId, Preview, ShownAnswer, ShownAnswers, ShownDestination,
    ShownDocument, ShownFlow, ShownPassage, ShownProposer, ShownRead, Status, UserId,
};
use platform::db::{self, Tx};
use policy::History;
use serde::Deserialize;
use serde_json::Value;

use super::{
    hidden, passages,
    rules::{only_once, why},
    target::{self, Relied},
};
use crate::{
    batch,
    credentials::references,
    error::Error,
    invocation::Invocation,
    parts::{Pipeline, Reader},
    preview::{self, Previewed},
    stages::state::Record,
    store::{self, LockedInvocation, NewDocument},
};

/// How deep parameters may nest that a person is asked about: the receipt nests the document, and verifiers read 64
/// levels.
pub(crate) const MAX_DEPTH: usize = 40;
/// How long documents are kept after the invocation ended.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Checks that a person can be shown these parameters, and a receipt keep them, exactly as they are.
pub(crate) fn check_can_be_shown(params: &Value) -> Result<(), Error> {
    if receipt::canonical::portable(params.clone(), MAX_DEPTH) == *params {
        return Ok(());
    }
    let message = "this needs approval, and cannot be shown exactly as it would be sent: parameters nested more than \
                   40 levels deep, numbers beyond 2^53, or the character U+0000";
    Err(Error::Malformed { pointer: "/params".to_owned(), message: message.to_owned() })
}

/// Reads the votes of an invocation, with the documents that they are about. Returns what these rely on.
pub(crate) async fn read_votes(tx: &mut Tx, record: &mut Record) -> Result<Vec<Relied>, Error> {
    let (org, invocation) = (record.org, &record.invocation);
    record.votes = policy::votes(tx, org, &[invocation.id]).await?;
    let current = record.votes.iter().filter(|vote| vote.subject == invocation.subject_digest);
    let shown: Vec<Digest> = current.map(|vote| vote.shown_digest).collect();
    if shown.is_empty() {
        return Ok(vec![]);
    }
    let mut relied = Vec::new();
    for stored in store::documents(tx, org, invocation.id, &shown).await? {
        let damaged = |_| db::Error::Inconsistent { column: "shown_documents.document" };
        if let Some(digest) = stored.basis {
            let ShownDocument { salt, preview, .. } = serde_json::from_str(&stored.text).map_err(damaged)?;
            let shown = preview.map(|preview| preview.basis).unwrap_or_default();
            relied.push(Relied { salt, digest, shown });
        }
        record.shown.push(serde_json::from_str(&stored.text).map_err(damaged)?);
    }
    Ok(relied)
}

/// Deletes documents about invocations that have ended. Returns how many.
pub(super) async fn purge(pipeline: &Pipeline) -> Result<i64, Error> {
    let before = pipeline.parts.world.clock.now() - KEPT;
    Ok(store::purge_documents(&mut *pipeline.parts.db.unscoped().await?, before).await?)
}

impl Reader {
    /// Renders what a person is shown about an invocation, and stores it, with when this person opened it. `None` if it
    /// does not wait.
    pub async fn show(
        &self,
        org: OrgId,
        id: InvocationId,
        to: Option<UserId>,
    ) -> Result<Option<ShownDocument>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let Some(locked) = store::lock(&mut tx, org, id).await? else { return Ok(None) };
        if locked.record.invocation.status != Status::Pending {
            return Ok(None);
        }
        let catalog = self.catalog(&mut tx, org).await?;
        let action = self.find_action(&catalog, &locked.record.invocation.address);
        // A batch with its parts; one of which a part is gone is shown without them.
        let action = action.map(|action| {
            batch::expand(self, &catalog, Arc::clone(&action), &locked.record.invocation.params)
                .unwrap_or(action)
        });
        let known = self.known(&mut tx, &locked, &catalog).await?;
        let previewed = action.as_ref().filter(|action| action.definition.previews);
        let (params, hidden) = hidden::of_question(self, &mut tx, &locked).await?;
        // The source may take its time, and the row must not stay locked meanwhile.
        drop(tx);
        let mut document = render(locked, known, action.as_deref());
        document.hidden = hidden;
        if document.flow.is_some() {
            let passages = self.passages(&document).await?;
            document.flow = document.flow.map(|flow| ShownFlow { passages, ..flow });
        }
        let mut basis = vec![];
        if let Some(action) = previewed {
            let previewed = Previewed { org, id, action, params };
            if let Some(found) = preview::preview(self, previewed, None).await {
                basis = found.basis;
                document.preview = Some(portable(found.shown));
            }
        }
        self.keep(document, &basis, to).await.map(Some)
    }

    /// Stores a document, unless there is one that says the same: then it is that one.
    async fn keep(
        &self,
        mut document: ShownDocument,
        basis: &[Basis],
        to: Option<UserId>,
    ) -> Result<ShownDocument, Error> {
        let relied_on = |salt: &str| match basis {
            [] => Ok(None),
            basis => target::digest(salt, basis).map(Some),
        };
        let (org, id) = (document.org, document.invocation);
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        for stored in store::all_documents(&mut tx, org, id).await? {
            // One that an earlier version wrote may have other fields.
            let Ok(earlier) = serde_json::from_str::<ShownDocument>(&stored.text) else { continue };
            document.salt.clone_from(&earlier.salt);
            if document == earlier && relied_on(&earlier.salt)? == stored.basis {
                if let Some(user) = to {
                    let digest = Digest::of_bytes(stored.text.as_bytes());
                    store::add_seen(&mut tx, org, id, (user, &digest), now).await?;
                    db::commit(tx).await?;
                }
                return Ok(earlier);
            }
        }
        let mut salt = [0; 16];
        self.parts.world.dice.fill(&mut salt);
        document.salt = hex::encode(salt);
        let text = receipt::canonical::to_bytes(&document).ok().and_then(|text| String::from_utf8(text).ok());
        let text = text.ok_or(db::Error::Inconsistent { column: "invocations.params" })?;
        let basis = relied_on(&document.salt)?;
        let digest = Digest::of_bytes(text.as_bytes());
        let new = NewDocument {
            invocation: id,
            digest: &digest,
            subject: &document.subject,
            basis: basis.as_ref(),
            text: &text,
            characters: length(&document),
            at: now,
        };
        store::insert_document(&mut tx, org, &new).await?;
        if let Some(user) = to {
            store::add_seen(&mut tx, org, id, (user, &digest), now).await?;
        }
        db::commit(tx).await?;
        Ok(document)
    }

    /// Everything about a question that is not in its row.
    async fn known(
        &self,
        tx: &mut Tx,
        locked: &LockedInvocation,
        catalog: &OrgCatalog,
    ) -> Result<Known, Error> {
        let (org, invocation) = (locked.record.org, &locked.record.invocation);
        let tenancy = &self.parts.tenancy;
        let session = tenancy.find_session(tx, org, invocation.session).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        let started_by = invocation.run.as_ref().and_then(|run| run.started_by);
        let history = policy::history(tx, org, std::slice::from_ref(&invocation.address)).await?;
        let history = history.into_iter().next().unwrap_or_default();
        let last = history.last.as_ref().map(|vote| vote.user);
        let people: Vec<UserId> =
            [Some(session.created_by), started_by, last].into_iter().flatten().collect();
        let members = tenancy.members_by_id(tx, org, &people).await?;
        let subject: StoredSubject = locked
            .subject
            .clone()
            .and_then(|subject| serde_json::from_value(subject).ok())
            .unwrap_or_default();
        let rows: Vec<String> =
            subject.credential.values().map(|credential| credential.row.clone()).collect();
        let reads = store::read_before(tx, org, invocation.session, invocation.id).await?;
        let read_before = reads.into_iter().map(|read| {
            let action = format!("{}.{}", read.source, read.action);
            let found = action.parse().ok().and_then(|address| self.find_action(catalog, &address));
            // An action that is gone may have read anything.
            let untrusted = found.is_none_or(|found| found.definition.labels.reads_untrusted);
            ShownRead { action, times: u32::try_from(read.times).unwrap_or(u32::MAX), untrusted }
        });
        Ok(Known {
            read_before: read_before.collect(),
            accounts: tenancy.credential_names(tx, org, &rows).await?,
            names: members.into_iter().map(|(user, member)| (user, member.name)).collect(),
            opened_by: session.created_by,
            started_by,
            history,
            subject,
        })
    }

    /// Which passages of a request were read before. Not while its row is locked: there may be much to search.
    async fn passages(&self, document: &ShownDocument) -> Result<Vec<ShownPassage>, Error> {
        let (org, session, id) = (document.org, document.proposer.session, document.invocation);
        let mut tx = self.parts.db.begin(org).await?;
        let reads = store::results_before(&mut tx, org, session, id).await?;
        drop(tx);
        let params = document.params.clone();
        let found = tokio::task::spawn_blocking(move || passages::find(&params, &reads)).await;
        Ok(found.unwrap_or_default())
    }
}

/// Where a request sends to, of a batch all of its parts, and what it was made of.
fn flow_of(invocation: &Invocation, action: Option<&Action>) -> Option<ShownFlow> {
    let flow = invocation.decision.flow.as_deref()?;
    let mut to = Vec::new();
    if let Some(action) = action {
        let parts = action.parts.iter().zip(batch::parts_of(&invocation.params));
        let parts =
            parts.map(|(part, asked)| policy::destinations(&part.definition, &batch::params_of(asked)));
        to = policy::destinations(&action.definition, &invocation.params);
        to.extend(parts.flatten());
        to.sort_unstable();
        to.dedup();
    }
    Some(ShownFlow {
        to,
        audience: flow.audience.as_str().to_owned(),
        chosen_by: flow.chosen_by.as_str().to_owned(),
        why: flow.why.clone(),
        observing: flow.observing,
        untrusted: flow.untrusted.clone(),
        private: flow.private.clone(),
        passages: vec![],
    })
}

/// Everything about a question that is not in its row.
struct Known {
    subject: StoredSubject,
    accounts: HashMap<String, String>,
    names: HashMap<UserId, String>,
    opened_by: UserId,
    started_by: Option<UserId>,
    history: History,
    read_before: Vec<ShownRead>,
}

/// The parts of a stored subject that people are shown.
#[derive(Default, Deserialize)]
struct StoredSubject {
    destination: BTreeMap<String, StoredDestination>,
    credential: BTreeMap<String, StoredCredential>,
}

#[derive(Deserialize)]
struct StoredDestination {
    origin: Option<String>,
    path: Option<String>,
    command: Option<Digest>,
}

#[derive(Deserialize)]
struct StoredCredential {
    row: String,
    version: i32,
}

/// The document without its salt, its hidden places and its preview.
fn render(locked: LockedInvocation, known: Known, action: Option<&Action>) -> ShownDocument {
    let name = |user: UserId| known.names.get(&user).cloned().unwrap_or_else(|| "a former member".to_owned());
    let record = locked.record;
    let invocation = record.invocation;
    let flow = flow_of(&invocation, action);
    let definition = action.map(|action| &action.definition);
    let drifted = action.is_some_and(|action| action.drift == Drift::Changed);
    let version = record.step.map(|step| format!(" (version {})", step.version)).unwrap_or_default();
    ShownDocument {
        version: ShownDocument::VERSION.to_owned(),
        salt: String::new(),
        org: record.org,
        invocation: invocation.id,
        subject: invocation.subject_digest,
        action: invocation.address.to_string(),
        description: definition.map(|definition| definition.description.clone()).unwrap_or_default(),
        risk: invocation.risk,
        params: invocation.params,
        hidden: vec![],
        destinations: destinations(known.subject, &known.accounts),
        proposer: ShownProposer {
            agent: invocation.agent,
            session: invocation.session,
            opened_by: name(known.opened_by),
            started_by: known.started_by.map(name),
            automation: invocation.run.map(|run| format!("{}{version}", run.automation)),
        },
        reason: invocation.reason,
        why: why(&invocation.decision),
        only_once: only_once(&invocation.address, &invocation.decision, invocation.risk),
        changed: invocation.changed,
        edits: invocation.edits.into_iter().map(|edit| edit.shown).collect(),
        diff: drifted.then(|| format!("/catalog/{}", invocation.address.source)),
        preview: None,
        undo: definition.and_then(|definition| definition.undo.clone()),
        read_before: known.read_before,
        earlier: ShownAnswers {
            approved: known.history.approved,
            denied: known.history.denied,
            last: known.history.last.map(|vote| ShownAnswer {
                name: name(vote.user),
                verdict: vote.answer.as_str().to_owned(),
                note: vote.note,
                at: vote.at.to_string(),
            }),
        },
        flow,
    }
}

fn destinations(subject: StoredSubject, accounts: &HashMap<String, String>) -> Vec<ShownDestination> {
    let StoredSubject { destination, credential } = subject;
    let shown = destination.into_iter().map(|(source, to)| {
        let url = to.origin.map(|origin| format!("{origin}{}", to.path.unwrap_or_default()));
        let words = |used: &StoredCredential| {
            let name = accounts.get(&used.row).map_or("a credential that was deleted", String::as_str);
            format!("{name} (version {})", used.version)
        };
        // Secrets that the parameters refer to stand beside the account.
        let prefix = references::key(&source, "");
        let referred = credential.iter().filter(|(name, _)| name.starts_with(&prefix));
        let referred = referred.map(|(_, used)| words(used));
        let accounts: Vec<String> = credential.get(&source).map(words).into_iter().chain(referred).collect();
        let account = (!accounts.is_empty()).then(|| accounts.join(", "));
        let command = to.command.map(|command| format!("a program on this machine, {command}"));
        ShownDestination { address: url.or(command), account, source }
    });
    shown.collect()
}

/// A preview in a form that a receipt can keep.
fn portable(found: Preview) -> Preview {
    let portable = |value| receipt::canonical::portable(value, MAX_DEPTH);
    let changes = found.changes.into_iter().map(|change| Change {
        field: change.field.replace('\0', "\u{fffd}"),
        before: portable(change.before),
        after: portable(change.after),
    });
    let basis = found.basis.into_iter().map(|basis| Basis::new(basis.name, portable(basis.value)));
    Preview {
        summary: found.summary.replace('\0', "\u{fffd}"),
        changes: changes.collect(),
        basis: basis.collect(),
    }
}

/// How many characters a person has to read that are particular to this request.
fn length(document: &ShownDocument) -> i32 {
    let params = characters(&document.params);
    let preview = document.preview.as_ref().map_or(0, |preview| {
        let changes = preview.changes.iter();
        let changes = changes.map(|change| characters(&change.before) + characters(&change.after));
        preview.summary.chars().count() + changes.sum::<usize>()
    });
    i32::try_from(params + preview + document.reason.chars().count()).unwrap_or(i32::MAX)
}

fn characters(value: &Value) -> usize {
    match value {
        Value::Null => 0,
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(characters).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| name.chars().count() + characters(field)).sum()
        }
        scalar => scalar.to_string().len(),
    }
}
