//! The application through its real router, over a real database, with real protocols on the far side.

mod abuse_15_leaks;
mod abuse_1_rug_pull;
mod abuse_2_swap;
mod abuse_4_annotations;
mod abuse_4_liar;
mod abuse_8_routes;
mod abuse_8_rows;
mod abuse_8_stage;
mod approvals;
mod batch;
mod catalog;
mod connectors;
mod contract;
mod events;
mod idempotency;
mod invoke;
mod limits;
mod mcp;
mod mcp_tasks;
mod oauth;
mod openapi;
mod people;
mod recovery;
mod sealing;
mod serving;
