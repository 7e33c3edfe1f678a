/**
 * Options of a parallel file, the exceptions of collective operations, and the report of the last
 * transfer.
 */
package io.skerry.parallel;
