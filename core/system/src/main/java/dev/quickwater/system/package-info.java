/// Raw memory, page mapping and the linker, behind checks that every caller shares.
@NullMarked
package dev.quickwater.system;

import org.jspecify.annotations.NullMarked;
