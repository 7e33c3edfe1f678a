/**
 * {@code export} and {@code import}: jobs that move a sparse dataset to and from other forms. Start
 * at {@link io.skerry.jobs.interchange.ExportJob}; {@code io.skerry.jobs.interchange.form}
 * implements the forms.
 */
package io.skerry.jobs.interchange;
