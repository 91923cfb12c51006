package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;

/// Some bytes of a body.
///
/// @param content the bytes, owned by whoever receives this
/// @param end true when nothing follows
public record HttpData(ByteBuf content, boolean end) implements HttpMessage {}
