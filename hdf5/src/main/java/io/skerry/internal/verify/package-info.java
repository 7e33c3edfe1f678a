/**
 * Verifies a complete file, with a class for each kind of structure. Start at {@link
 * io.skerry.internal.verify.FileVerification}.
 */
package io.skerry.internal.verify;
