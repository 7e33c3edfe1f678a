/**
 * Exceptions for damaged files, unsupported features and exceeded memory limits. Start at {@link
 * FormatException}.
 */
package io.skerry.exception;
