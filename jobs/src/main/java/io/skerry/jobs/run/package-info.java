/**
 * Runs a command on one or several ranks: launcher detection, agreement of ranks on each step, work
 * limits, the exception for expected failures.
 */
package io.skerry.jobs.run;
