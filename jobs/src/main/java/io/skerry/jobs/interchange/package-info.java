/**
 * Sparse datasets in forms that other programs read, and back: compressed rows and columns as
 * AnnData has them, coordinate lists, dense datasets with a mask, Matrix Market text. An {@link
 * io.skerry.jobs.interchange.ElementView} gives the defined elements batch by batch, a form writes
 * them; a form read gives batches to an {@link io.skerry.jobs.interchange.ElementSink}.
 */
package io.skerry.jobs.interchange;
