package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MediaTypesTest {

  @ParameterizedTest
  @CsvSource({
    "index.html, text/html; charset=utf-8",
    "INDEX.HTM, text/html; charset=utf-8",
    "a.js, text/javascript; charset=utf-8",
    "a.mjs, text/javascript; charset=utf-8",
    "a.css, text/css; charset=utf-8",
    "a.csv, text/csv; charset=utf-8",
    "README.md, text/markdown; charset=utf-8",
    "a.json, application/json",
    "a.js.map, application/json",
    "site.webmanifest, application/manifest+json",
    "a.svg, image/svg+xml",
    "a.jpeg, image/jpeg",
    "a.avif, image/avif",
    "favicon.ico, image/vnd.microsoft.icon",
    "a.mp4, video/mp4",
    "a.webm, video/webm",
    "segment.ts, video/mp2t",
    "a.m3u8, application/vnd.apple.mpegurl",
    "a.mp3, audio/mpeg",
    "a.woff2, font/woff2",
    "a.wasm, application/wasm",
    "a.pdf, application/pdf",
    "a.tar.gz, application/gzip",
    "a.zip, application/zip",
    "a.docx, application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "a.glb, model/gltf-binary",
    "a.unknown, application/octet-stream",
    "html, application/octet-stream",
    "a., application/octet-stream",
  })
  void extensionGivesTheType(String name, String type) {
    assertEquals(type, MediaTypes.of(name));
  }
}
