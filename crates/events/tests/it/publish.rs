//! Events that applications publish.

use events::{Error, Publishing};
use serde_json::json;

use crate::stage::{another_org, stage};

fn by(app: &testkit::TestApp) -> model::Actor {
    model::Actor { org: app.org, user: app.owner }
}

fn added(id: &str) -> Publishing {
    Publishing {
        id: id.to_owned(),
        source: "/drive".to_owned(),
        event_type: "drive.file_added".to_owned(),
        subject: "report.pdf".to_owned(),
        at: None,
        data: json!({ "size": 7 }),
        caused_by: None,
    }
}

#[tokio::test]
async fn telling_us_twice_is_telling_once() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let first = process.log.publish(by(&app), vec![added("1"), added("2")]).await?;
    let again = process.log.publish(by(&app), vec![added("2"), added("3")]).await?;
    assert_eq!((again[0].event, again[0].duplicate, again[1].duplicate), (first[1].event, true, false));
    let read = process.read(app.org, 3).await?;
    let told = read[0].event.to_cloud_event();
    assert_eq!(
        (&told["source"], &told["id"], &told["type"]),
        (&json!("/drive"), &json!("1"), &json!("drive.file_added"))
    );
    assert_eq!(told["eventid"], json!(first[0].event));
    let other = Publishing { data: json!({ "size": 8 }), ..added("2") };
    assert!(matches!(process.log.publish(by(&app), vec![other]).await, Err(Error::Renamed)));
    Ok(())
}

#[tokio::test]
async fn nobody_publishes_in_our_name_and_one_bad_event_stops_its_batch() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let bad = [
        Publishing { event_type: "action.executed".to_owned(), ..added("x") },
        Publishing { event_type: "nodots".to_owned(), ..added("x") },
        Publishing { event_type: "Drive.Added".to_owned(), ..added("x") },
        Publishing { source: "/countersign".to_owned(), ..added("x") },
        Publishing { source: String::new(), ..added("x") },
        Publishing { id: "a\nb".to_owned(), ..added("x") },
        Publishing { data: json!("x".repeat(events::MOST_BYTES)), ..added("x") },
    ];
    for bad in bad {
        let told = format!("{bad:?}");
        let refused = process.log.publish(by(&app), vec![added("good"), bad]).await;
        assert!(
            matches!(&refused, Err(Error::Invalid { pointer, .. }) if pointer.starts_with("/1")),
            "{told:.200}"
        );
    }
    assert!(
        !process.log.publish(by(&app), vec![added("good")]).await?[0].duplicate,
        "a refused batch stores nothing"
    );
    Ok(())
}

#[tokio::test]
async fn a_chain_of_events_ends() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let mut cause = process.log.publish(by(&app), vec![added("0")]).await?[0].event;
    for depth in 1..=events::DEEPEST {
        let next = Publishing { caused_by: Some(cause), ..added(&depth.to_string()) };
        cause = process.log.publish(by(&app), vec![next]).await?[0].event;
        assert_eq!(process.log.find(app.org, &[cause]).await?[0].event.origin.depth, depth);
    }
    let beyond = Publishing { caused_by: Some(cause), ..added("beyond") };
    let refused = process.log.publish(by(&app), vec![beyond]).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    let other = another_org(&app).await?;
    let foreign = Publishing { caused_by: Some(cause), ..added("foreign") };
    assert!(process.log.publish(model::Actor { org: other, user: app.owner }, vec![foreign]).await.is_err());
    Ok(())
}
