/// What the tests of several modules share; for this project's own tests alone.
@org.jspecify.annotations.NullMarked
package dev.quickwater.testkit;
