/// The check of settings that the modules share.
@NullMarked
package dev.quickwater.util.setting;

import org.jspecify.annotations.NullMarked;
