//! Whether this process may act: the database is the one that the deployment had before, or the operator said what
//! happened to it.

use std::{net::TcpListener, time::Duration};

use anyhow::Context as _;
use gateway::App;
use ledger::mirror::{self, Mirror};
use platform::{
    config::Config,
    db::deployment::{self, Deployment, Held, State},
    shutdown::Shutdown,
};
use secrecy::{ExposeSecret as _, SecretString};

use crate::wire::Wiring;

/// How often a held process looks whether it may go on.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often a running process looks whether it still may.
const WATCH_EVERY: Duration = Duration::from_secs(15);
/// How often the database is compared with the mirrors.
const COMPARE_EVERY: Duration = Duration::from_secs(3_600);

/// Watches over the deployment of one process. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    url: SecretString,
    name: String,
    /// Whether a standby that takes over has everything: replication is synchronous.
    lossless_failover: bool,
}

impl Watch {
    pub(crate) fn new(config: &Config) -> Self {
        let (url, name) = (config.database_url.clone(), config.deployment.clone());
        Self { url, name, lossless_failover: config.lossless_failover }
    }

    /// The deployment, and its state.
    pub(crate) async fn look(&self) -> anyhow::Result<(Deployment, State)> {
        let mut conn = deployment::connect(self.url.expose_secret()).await?;
        let found = deployment::look(&mut conn, &self.name).await;
        let (known, state) = found.context("reading the deployment; was the database migrated?")?;
        match &state {
            State::New => {}
            State::Held(Held::AnotherTimeline) if self.lossless_failover => {
                tracing::warn!("a standby took over; COUNTERSIGN_FAILOVER says that nothing was lost");
            }
            _ => return Ok((known, state)),
        }
        deployment::settle(&mut conn, &self.name, known.epoch).await?;
        Ok((known, State::Current))
    }

    /// The application, as soon as the deployment is current and nobody outside knows more than its database; `None` if the
    /// process is told to stop before. Nothing is begun by then: neither the gateway nor the worker takes work.
    pub(crate) async fn begin(
        &self,
        config: &Config,
        (listener, mirrors): (Option<&TcpListener>, &[Mirror]),
        shutdown: &Shutdown,
    ) -> anyhow::Result<Option<App>> {
        loop {
            if !self.wait_until_current(listener, shutdown).await? {
                return Ok(None);
            }
            let app = match Wiring::new(config.clone())?.app(shutdown.clone()).await {
                Ok(app) => app,
                // Another process has found out since this one looked, and no connection is given any more.
                Err(error) if self.is_held().await => {
                    tracing::warn!(error = format!("{error:#}"), "held while beginning");
                    continue;
                }
                Err(error) => return Err(error),
            };
            if self.compare(&app, mirrors).await? {
                return Ok(Some(app));
            }
            app.db.close().await;
        }
    }

    async fn is_held(&self) -> bool {
        matches!(self.look().await, Ok((_, State::Held(_))))
    }

    /// Waits until the deployment is current; meanwhile answers why it is not, if there is a listener. Returns `false` if
    /// the process is told to stop.
    async fn wait_until_current(
        &self,
        listener: Option<&TcpListener>,
        shutdown: &Shutdown,
    ) -> anyhow::Result<bool> {
        let State::Held(held) = self.look().await?.1 else { return Ok(true) };
        tracing::error!(why = %held, "held: nothing happens until the operator has run `countersign restored`");
        let answering = Shutdown::default();
        if let Some(listener) = listener {
            let listener = tokio::net::TcpListener::from_std(listener.try_clone()?)?;
            let (router, stop) = (gateway::holding(&held), answering.clone());
            let serving = gateway::serve(listener, router, gateway::Limits::default(), stop);
            answering.spawn(async move {
                if let Err(error) = serving.await {
                    tracing::error!(error = &error as &dyn std::error::Error, "answering while held");
                }
            });
        }
        let is_current = loop {
            tokio::select! {
                () = shutdown.begun() => break false,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            match self.look().await {
                Ok((_, State::Held(_))) => {}
                Ok(_) => break true,
                Err(error) => tracing::warn!(error = format!("{error:#}"), "reading the deployment"),
            }
        };
        answering.begin();
        answering.drain(LOOK_EVERY).await;
        tracing::info!(is_current, "no longer held");
        Ok(is_current)
    }

    /// Compares the ledger with what Redis and the mirrors remember of it, and holds the deployment if one of them knows
    /// more. Returns whether all is well. Whoever does not answer says nothing.
    pub(crate) async fn compare(&self, app: &App, mirrors: &[Mirror]) -> anyhow::Result<bool> {
        if let Err(why) = self.remember(app).await? {
            self.hold(&why).await?;
            return Ok(false);
        }
        for mirror in mirrors {
            match app.ledger.compare(mirror).await {
                Ok(()) => {}
                Err(mirror::Error::Diverged(found)) if found.shows_restore() => {
                    self.hold(&format!("{} knows more: {found}", mirror.name())).await?;
                    return Ok(false);
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(mirror = mirror.name(), error, "comparing with a mirror failed");
                }
            }
        }
        Ok(true)
    }

    /// Lets Redis remember how long the ledger is; the reason if it remembers a longer one. Another process may have told
    /// Redis of entries that were added after this one read the length, so the length is read again before it is believed.
    async fn remember(&self, app: &App) -> anyhow::Result<Result<(), String>> {
        let (known, _) = self.look().await?;
        let Some(before) = remembered(app, &known).await.filter(|before| *before > known.log_size) else {
            return Ok(Ok(()));
        };
        let (now, _) = self.look().await?;
        Ok(if now.log_size < before { Err(longer(before, now.log_size)) } else { Ok(()) })
    }

    async fn hold(&self, why: &str) -> anyhow::Result<()> {
        tracing::error!(why, "the database was restored");
        let mut conn = deployment::connect(self.url.expose_secret()).await?;
        Ok(deployment::hold(&mut conn, why).await?)
    }

    /// Stops the process when the deployment is no longer current: whoever starts it again finds it held. The connections of
    /// the pool are refused in the meantime.
    pub(crate) fn keep_watching(&self, app: &App, mirrors: Vec<Mirror>) {
        let (watch, stop, app) = (self.clone(), app.shutdown.clone(), app.clone());
        app.shutdown.clone().spawn(async move {
            let mut compared = tokio::time::Instant::now();
            // Redis was told when the process began.
            let mut longest = watch.look().await.ok().map(|(known, _)| known.log_size);
            loop {
                tokio::select! {
                    () = stop.begun() => return,
                    () = tokio::time::sleep(WATCH_EVERY) => {}
                }
                if compared.elapsed() >= COMPARE_EVERY {
                    compared = tokio::time::Instant::now();
                    if let Err(error) = watch.compare(&app, &mirrors).await {
                        tracing::warn!(error = format!("{error:#}"), "comparing with the mirrors");
                    }
                }
                match watch.beat(&app, &mut longest).await {
                    Ok(None) => {}
                    Ok(Some(held)) => {
                        tracing::error!(why = %held, "stopping: nothing may happen until the operator has run `countersign restored`");
                        stop.begin();
                        return;
                    }
                    Err(error) => tracing::debug!(error = format!("{error:#}"), "reading the deployment"),
                }
            }
        });
    }

    /// Looks at the deployment with a connection of the pool, or with one of its own where the pool gets none. Redis is
    /// told of a ledger that has grown.
    async fn beat(&self, app: &App, longest: &mut Option<u64>) -> anyhow::Result<Option<Held>> {
        let (known, state) = match app.db.unscoped().await {
            Ok(mut conn) => deployment::look(&mut conn, &self.name).await?,
            Err(_) => self.look().await?,
        };
        if let State::Held(held) = state {
            return Ok(Some(held));
        }
        if *longest == Some(known.log_size) {
            return Ok(None);
        }
        *longest = Some(known.log_size);
        match self.remember(app).await? {
            Ok(()) => Ok(None),
            Err(why) => {
                self.hold(&why).await?;
                Ok(Some(Held::Behind(why)))
            }
        }
    }
}

/// The mirrors of the ledger.
pub(crate) fn mirrors(config: &Config) -> anyhow::Result<Vec<Mirror>> {
    let addresses = config.ledger_mirrors.as_deref().unwrap_or_default();
    Mirror::parse_list(addresses).context("COUNTERSIGN_LEDGER_MIRRORS")
}

/// Lets Redis remember how long the ledger is; returns what it remembered before, `None` if it does not answer.
pub(crate) async fn remembered(app: &App, known: &Deployment) -> Option<u64> {
    let key = format!("countersign:deployment:{}:{}", known.id.simple(), known.epoch);
    app.redis.remember_most(&key, known.log_size).await
}

/// Lets Redis remember that this epoch began; returns the newest one that it knew of, `None` if it does not answer. The same
/// backup may be restored twice, and then the database knows only of the epoch before the first time.
pub(crate) async fn last_epoch(app: &App, known: &Deployment, epoch: i32) -> Option<i32> {
    let key = format!("countersign:deployment:{}:epoch", known.id.simple());
    let before = app.redis.remember_most(&key, u64::try_from(epoch).unwrap_or_default()).await;
    before.and_then(|before| i32::try_from(before).ok())
}

pub(crate) fn longer(before: u64, size: u64) -> String {
    format!("Redis remembers a ledger with {before} entries, and this one has {size}")
}
