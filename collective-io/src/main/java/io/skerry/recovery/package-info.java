/**
 * Recovers a file whose last flush was interrupted. Start at {@link FileRecovery}. Opening a file
 * calls this package before the file is read; the {@code recover} command calls it directly.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}, at the latest when the
 * value is used.
 */
package io.skerry.recovery;
