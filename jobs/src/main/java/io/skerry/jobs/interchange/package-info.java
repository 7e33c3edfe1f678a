/**
 * {@code export} and {@code import}: jobs that convert datasets to other forms and create sparse
 * datasets from them. Start at {@link io.skerry.jobs.interchange.ExportJob}; {@code
 * io.skerry.jobs.interchange.form} implements the forms.
 */
package io.skerry.jobs.interchange;
