/**
 * Exceptions for damaged files, unsupported features and exceeded memory limits. All packages may
 * throw them. Start at {@link FormatException}.
 */
package io.skerry.exception;
