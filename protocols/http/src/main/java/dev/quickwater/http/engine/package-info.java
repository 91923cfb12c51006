/// The parts that the engines of all versions share: the state machine of an exchange, and access
/// to the encoded forms of messages. The package is not exported to programs.
@NullMarked
package dev.quickwater.http.engine;

import org.jspecify.annotations.NullMarked;
