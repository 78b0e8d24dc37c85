//! SiYuan over a simulated kernel: real HTTP, real files, real processes.

mod kernel;
mod kernels;
