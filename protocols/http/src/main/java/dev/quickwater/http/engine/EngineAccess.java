package dev.quickwater.http.engine;

/// Proves that the caller is a protocol engine. Methods of public types that skip a check, or that
/// expose an array, require it as their first argument. Programs cannot call such methods, because
/// they cannot name this type.
public enum EngineAccess {
  GRANTED
}
