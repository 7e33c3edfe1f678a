/** The file as a whole. Start at {@code Superblock}. */
package io.skerry.format;
