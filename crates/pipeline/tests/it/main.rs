//! The pipeline, through the real router and over a real database.

mod leases;
mod lost_commits;
mod webhooks;
