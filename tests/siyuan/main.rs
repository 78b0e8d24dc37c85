//! SiYuan against a simulated kernel that has the real one's traps.

// Each area uses its own part of the simulation.
#[allow(dead_code, reason = "a test module that several areas share")]
mod kernel;
mod kernels;
mod simulation;
mod tools;
mod transport;
