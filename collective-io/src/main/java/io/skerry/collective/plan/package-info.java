/**
 * From requests to pieces: pure code, tested without ranks. Knows nothing of owners or files. Start
 * at {@link io.skerry.collective.plan.WritePlan}.
 */
package io.skerry.collective.plan;
