/** Conversion between elements as stored and values, and the canonical form of both. */
package io.skerry.internal.value;
