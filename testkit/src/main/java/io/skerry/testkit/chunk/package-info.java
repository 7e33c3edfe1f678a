/** Conformance suite for chunk formats. */
package io.skerry.testkit.chunk;
