//! Saved work as strangers write it.

mod attacks;
