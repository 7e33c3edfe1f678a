/**
 * Implements {@code export}, which writes datasets in other file formats, and {@code import}, which
 * creates sparse datasets from data in these formats. Start at {@link
 * io.skerry.jobs.interchange.ExportJob}; {@code io.skerry.jobs.interchange.form} implements the
 * formats.
 */
package io.skerry.jobs.interchange;
