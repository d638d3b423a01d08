#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::hello_second(bytes));
