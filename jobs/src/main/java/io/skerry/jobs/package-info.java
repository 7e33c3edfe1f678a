/** The skerry command. Start at {@code Skerry}. */
package io.skerry.jobs;
