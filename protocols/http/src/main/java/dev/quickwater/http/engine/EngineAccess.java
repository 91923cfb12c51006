package dev.quickwater.http.engine;

/// A witness that the caller is a protocol engine. Methods of public types that skip a check, or
/// that lend an array, take it as first argument; programs cannot name it.
public enum EngineAccess {
  GRANTED
}
