/**
 * Random programs of collective steps, run against files and against a plain array in memory, which
 * must agree element by element. Not a conformance suite of one class: the whole path from {@link
 * io.skerry.H5File} down is under trial. Start at {@link io.skerry.testkit.trial.Trial}.
 */
package io.skerry.testkit.trial;
