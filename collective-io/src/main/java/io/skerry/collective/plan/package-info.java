/** Cuts requests into pieces by chunk, without ranks or files. Start at {@link WritePlan}. */
package io.skerry.collective.plan;
