/** Reads: collective, by a single rank, and independent of the other ranks. */
package io.skerry.collective.read;
