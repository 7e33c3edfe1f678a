/**
 * Implements {@code export}, which writes datasets in forms that other programs read, and {@code
 * import}, which creates sparse datasets from data in these forms. Start at {@link
 * io.skerry.jobs.interchange.ExportJob}; {@code io.skerry.jobs.interchange.form} implements the
 * forms.
 */
package io.skerry.jobs.interchange;
