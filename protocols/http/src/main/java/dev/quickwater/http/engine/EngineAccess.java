package dev.quickwater.http.engine;

/// Proves that the caller is a protocol engine. Methods of public types that skip a check, or that
/// lend an array, take it as their first argument. Programs cannot call them, because they cannot
/// name this type.
public enum EngineAccess {
  GRANTED
}
