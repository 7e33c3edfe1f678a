/**
 * Reads of chunked datasets: collective, by a single rank, and independent of other ranks. Start at
 * {@link CollectiveReader}. The read interface of an open file selects one of the readers.
 */
package io.skerry.collective.read;
