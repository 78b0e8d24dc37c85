//! SiYuan against a simulated kernel that has the real one's traps.

#[allow(dead_code, reason = "what the tests of the command line use is used here in part")]
#[path = "../cli/home.rs"]
mod home;
// Each area uses its own part of the simulation.
#[allow(dead_code, reason = "a test module that several areas share")]
mod kernel;
mod kernels;
mod killed;
mod simulation;
mod tools;
mod transport;
