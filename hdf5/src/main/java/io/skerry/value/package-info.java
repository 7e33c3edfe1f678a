/**
 * Elements of any type as values: what a file's bytes mean, variable-length content and references
 * included; and the canonical bytes that a content digest is made of. Not here: where the bytes
 * come from (datasets and attributes) and bulk arrays of numbers, which have their own reads. Start
 * at {@code Value}; {@code ValueReader} makes them.
 */
package io.skerry.value;
