//! Attack 9: programs that try to leave the sandbox.

mod aborted;
mod bombs;
mod builder;
mod files;
mod fixture;
mod kernel;
mod network;
mod numbers;
mod outlive;
mod scene;
mod secrets;
mod tenants;
