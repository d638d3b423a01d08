//! Parsers of a ClientHello behind one signature.
