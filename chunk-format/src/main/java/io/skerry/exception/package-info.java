/**
 * Exceptions for damaged files, unsupported features and exceeded memory limits. Start at {@link
 * FormatException}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException} as soon as it is needed,
 * or appears as text in the message.
 */
package io.skerry.exception;
