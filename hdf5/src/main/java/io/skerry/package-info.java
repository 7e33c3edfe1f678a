/** Files, groups, datasets. Start at {@code H5File}. */
package io.skerry;
