/** Verification of the structures of a file. */
package io.skerry.internal.verify;
