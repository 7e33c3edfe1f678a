/**
 * Readers and writers of the interchange forms: compressed rows or columns, coordinates, dense with
 * a mask, Matrix Market text. Used by the jobs in {@code io.skerry.jobs.interchange}. Start at
 * {@link io.skerry.jobs.interchange.form.ElementView} for export and {@link
 * io.skerry.jobs.interchange.form.ElementSource} for import.
 */
package io.skerry.jobs.interchange.form;
