/** {@code export} and {@code import}: jobs that move a sparse dataset to and from other forms. */
package io.skerry.jobs.interchange;
