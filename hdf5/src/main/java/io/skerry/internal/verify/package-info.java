/** Verifies a whole file. Start at {@link io.skerry.internal.verify.FileVerification}. */
package io.skerry.internal.verify;
