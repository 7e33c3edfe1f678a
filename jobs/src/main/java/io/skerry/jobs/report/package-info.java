/** Output of commands: JSON, the text of failures, progress bars on standard error. */
package io.skerry.jobs.report;
