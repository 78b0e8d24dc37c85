//! `notegate siyuan …`: SiYuan kernels from the command line.

mod contract;

use super::arguments::Siyuan;
use super::failure::{Exit, Failure};
use super::output::Output;

pub fn run(typed: Siyuan, output: Output) -> Result<Exit, Failure> {
    match typed {
        Siyuan::Contract(typed) => contract::run(typed, output),
    }
}
