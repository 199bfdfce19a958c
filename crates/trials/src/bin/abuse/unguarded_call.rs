//! The same call without Countersign: a handler as anybody would write it, with no timeouts and no lease of its own. It
//! makes its one call inside the step that the engine journals.

use restate_sdk::prelude::{
    Context, ContextSideEffects as _, Endpoint, HandlerResult, HttpServer, RunFuture as _,
};
use serde_json::json;
use tokio::net::TcpListener;

struct Bare {
    http: reqwest::Client,
    target: String,
    token: &'static str,
}

#[restate_sdk::service(name = "Bare")]
impl Bare {
    #[handler]
    async fn call(&self, ctx: Context<'_>, title: String) -> HandlerResult<()> {
        let url = format!("{}/repos/acme/web/issues", self.target);
        let request = (self.http.post(url).bearer_auth(self.token))
            .header("user-agent", "bare")
            .header("accept", "application/vnd.github+json")
            .header("x-github-api-version", "2022-11-28")
            .json(&json!({ "title": title }));
        let call = ctx.run(async move || {
            request.send().await?.error_for_status()?;
            Ok(())
        });
        Ok(call.name("call").await?)
    }
}

/// Serves the handler until the future is dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    (http, target, token): (reqwest::Client, String, &'static str),
) {
    let endpoint = Endpoint::builder().bind(Bare { http, target, token }).build();
    HttpServer::new(endpoint).serve_with_cancel(listener, std::future::pending::<()>()).await;
}
