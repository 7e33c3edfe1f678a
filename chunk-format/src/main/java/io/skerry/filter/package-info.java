/** Filters by number and parameters, and the interface that a filter implements. */
package io.skerry.filter;
