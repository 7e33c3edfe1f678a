/** Recovery of a file whose last flush was interrupted. Start at {@link FileRecovery}. */
package io.skerry.recovery;
